/** The guides of docs/guides, which the app shows at `/docs/guide/<name>`. */
export const GUIDES = [
  { name: "admin", title: "For admins" },
  { name: "agent-developer", title: "For agent developers" },
  { name: "auditor", title: "For auditors" },
  { name: "four-eyes", title: "Four eyes" },
  { name: "access-for-an-hour", title: "Access for an hour" },
  { name: "flow-guard", title: "Flow guard" },
  { name: "least-privilege", title: "Least privilege in an afternoon" },
] as const;

/** The name of a guide. */
export type GuideName = (typeof GUIDES)[number]["name"];

/** The page of a guide, or a place on it. */
export function guideHref(name: GuideName, anchor?: string): string {
  return `/docs/guide/${name}${anchor === undefined ? "" : `#${anchor}`}`;
}
