/** What disabling an agent does. */
export const WHEN_DISABLED =
  "Quartermaster refuses its requests at once, until somebody enables it again. Its page shows the refused attempts.";
