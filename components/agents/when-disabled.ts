/** What disabling an agent does. */
export const WHEN_DISABLED =
  "Its keys and tokens no longer sign in: every request is refused and it sees nothing, until somebody enables it again.";
