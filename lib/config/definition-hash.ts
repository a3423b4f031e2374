import { createHash } from "node:crypto";
import { canonicalText, isSameJson } from "@/lib/access/model/canonical";
import type { Json } from "@/lib/access/model/configuration";

/** The definition of a tool that models and callers rely on. */
export interface ToolDefinition {
  readonly name: string;
  readonly description: string;
  readonly inputSchema: object;
  readonly outputSchema: object | null;
  readonly annotations: object;
}

/**
 * SHA-256 (64 hex digits) over the canonical JSON (RFC 8785) of name, description, schemas and annotations. Drift
 * acceptances and pins are bound to it (docs/reference/decision.md#profile, docs/reference/execution.md#sync).
 */
export function definitionHash(tool: ToolDefinition): string {
  return createHash("sha256")
    .update(canonicalText(definitionOf(tool)))
    .digest("hex");
}

/** A tool with its definition hash, as the resolver reads it. */
export function withHash<T extends ToolDefinition>(tool: T): T & { readonly definitionHash: string } {
  return { ...tool, definitionHash: definitionHash(tool) };
}

/**
 * Whether two tools have the same definition hash. Compares without hashing, because thousands of tools may change at
 * once.
 */
export function isSameDefinition(left: ToolDefinition, right: ToolDefinition): boolean {
  return isSameJson(definitionOf(left), definitionOf(right));
}

function definitionOf({ name, description, inputSchema, outputSchema, annotations }: ToolDefinition): Json {
  return { name, description, inputSchema, outputSchema, annotations } as unknown as Json;
}
