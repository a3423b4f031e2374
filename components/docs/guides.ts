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

/** Reference documents that the guides link to. The app shows them at `/docs/guide/<name>` too. */
export const REFERENCES = [
  { name: "glossary", title: "Glossary", path: "glossary.md" },
  { name: "decision", title: "Decision", path: "reference/decision.md" },
  { name: "execution", title: "Execution", path: "reference/execution.md" },
  { name: "governance", title: "Governance", path: "reference/governance.md" },
  { name: "log", title: "Log", path: "reference/log.md" },
  { name: "http", title: "HTTP", path: "reference/http.md" },
  { name: "mcp", title: "MCP", path: "reference/mcp.md" },
  { name: "client-sign-in", title: "Client sign-in", path: "reference/client-sign-in.md" },
  { name: "linked-accounts", title: "Linked accounts", path: "reference/linked-accounts.md" },
  { name: "assertions", title: "Assertions: tests of the rules", path: "assertions.md" },
  { name: "audit", title: "The log: verify, prove, export", path: "audit.md" },
] as const;

/** A document that the app shows. */
interface ShownDocument {
  readonly name: string;
  readonly title: string;
  /** Its file below docs/. */
  readonly path: string;
}

/** All documents that the app shows. */
export const DOCUMENTS: readonly ShownDocument[] = [
  ...GUIDES.map((guide) => ({ ...guide, path: `guides/${guide.name}.md` })),
  ...REFERENCES,
];

export type GuideName = (typeof GUIDES)[number]["name"];

/** The address of a guide or a reference, or of a heading in it. */
export function guideHref(name: GuideName | (typeof REFERENCES)[number]["name"], anchor?: string): string {
  return `/docs/guide/${name}${anchor === undefined ? "" : `#${anchor}`}`;
}
