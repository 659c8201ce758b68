//! What each proof says, in one sentence for an auditor.

/// The sentence; a proof that has none yet is told by its name alone.
pub(super) fn meaning(name: &str) -> &'static str {
    match name {
        "references" => "Every name leads to a definition.",
        "order" => "Every list stands in its one order.",
        "closed_words" => "Every word out of a closed list is one of that list.",
        "engine_phases" => "Fall-backs, corrections and retries are those that a run has.",
        "placeholders" => "Every place in a template is one that is filled in.",
        "tools" => "Every tool is stated in full: what it takes, does and returns.",
        "closed_schemas" => "No tool takes an input that its schema does not name.",
        "external_servers" => "A tool of an outside server is the one that was pinned.",
        "bound_targets" => "An input that says what a call is about can be the run's own value alone.",
        "approval_below_tier" => "No approval is looser than what its effect asks for.",
        "write_never_auto" => "Nothing writes without a person's yes.",
        "auto_create_undone" => "What is created without a yes can be taken back.",
        "four_eyes" => "Where four eyes are asked, two persons can give them.",
        "silent_approval" => "What waits for a person is put to a person as a card.",
        "after_approval" => "The turn after a yes is left nothing but reads.",
        "disabled_tool" => "No tool that is switched off is granted.",
        "untrusted_reader" => "Foreign prose reaches reading roles alone.",
        "persona_bundle" => "No harness grants what nobody who wears it may do.",
        "forbidden_verb" => "No tool does what a refusal forbids.",
        "refusal_lines" => "Every refusal that a harness bears stands in its prompt.",
        "prompt_order" => "Every prompt is put together in the stated order.",
        "memory_wrap" => "No remembered note can step out of what stands around it.",
        "always_allowed" => "What is always allowed is a read or a proposal.",
        "plans_and_skills" => "Plans and skills reach nothing that their harness does not hold.",
        "diagnoses" => "What a root cause requires can be planned by some run.",
        "step_inputs" => "What a plan states of a call fits its tool, and names no run.",
        "effective_table" => "The table of grants is exactly what the stated sets come to.",
        _ => "",
    }
}

#[cfg(test)]
mod tests {
    #[test]
    fn every_proof_is_told() {
        for name in harnessc_runtime::prove::names() {
            assert_ne!(super::meaning(name), "", "{name}");
        }
        assert_eq!(super::meaning("nothing"), "");
    }
}
