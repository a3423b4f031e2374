/** The kinds of smaller grants, smallest change first (docs/reference/decision.md#rightsizing). */
export const CANDIDATE_KINDS = ["drop_groups", "exclude_tools", "own_group", "rest_on_request"] as const;
