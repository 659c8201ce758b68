//! The compiler and policy checker for AI-agent harnesses.
