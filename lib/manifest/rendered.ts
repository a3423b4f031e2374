/** What a format could not say of a tool as the tool's schema says it. */
export interface ManifestNote {
  /** `not_strict`: sent without strict mode. `narrowed`: a property is not offered. `left_out`: the tool is not in the list. */
  readonly kind: "not_strict" | "narrowed" | "left_out";
  /** One sentence. */
  readonly reason: string;
}

/** A tool in a vendor's format; `null` = the vendor would refuse the whole request because of it. */
export interface RenderedTool {
  readonly tool: object | null;
  readonly notes: readonly ManifestNote[];
}
