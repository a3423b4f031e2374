/** A part of a tool's schema that a format cannot express. */
export interface ManifestNote {
  /**
   * `not_strict`: sent without strict mode. `narrowed`: a property is not offered. `left_out`: the tool is not in the
   * list.
   */
  readonly kind: "not_strict" | "narrowed" | "left_out";
  /** One sentence. */
  readonly reason: string;
}

/** A tool in a vendor's format; `null` = the tool would make the vendor refuse the whole request. */
export interface RenderedTool {
  readonly tool: object | null;
  readonly notes: readonly ManifestNote[];
}
