import { createHash } from "node:crypto";
import { gunzipSync } from "node:zlib";
import { fromJson } from "@/lib/access/model/json";
import type { ArchiveStorage } from "@/lib/audit/archive/archive-storage";
import { inclusionPath, leafHash, treeHash } from "@/lib/audit/seal/merkle";
import { hashesOf, isSignedBy } from "@/lib/audit/seal/seal";
import { isSigned } from "@/lib/audit/seal/statement";
import type { TrustedKeys } from "@/lib/audit/seal/trusted-keys";
import { AppError } from "@/lib/errors";
import { APPROVAL_ANSWERS } from "@/lib/contracts/log/audit-actions";
import { archiveLine, archiveManifest, type ArchiveLine, type ArchiveManifest } from "@/lib/contracts/log/retention";
import type { ExecutionProof, SealedRecord, SignedSeal } from "@/lib/contracts/log/seal";
import { commitmentOf } from "@/lib/store/log/executions-rows";

/** The largest unpacked part: parts hold 4 MiB of text plus one last line. */
const MAX_BYTES = 64 * 1024 * 1024;
/** The most problems to list. */
const MAX_PROBLEMS = 100;

/** The content of an archive, and its problems. */
interface ReadArchive {
  readonly manifest: ArchiveManifest;
  /** One sentence per problem; none = every row equals what was sealed. */
  readonly problems: readonly string[];
  /** The proof of the requested call; `null` when the archive does not hold the call. */
  readonly proof: ExecutionProof | null;
}

/**
 * Verifies an archive from its own folder: the manifest's signature, each part's hash, each seal's signature and root,
 * each row's hash at its index, each body's commitment.
 * Needs no other source: `keys` are the public keys that the reader trusts.
 * @param callId the call to prove
 * @throws AppError `not_found` without a manifest
 */
export async function readArchive(storage: ArchiveStorage, keys: TrustedKeys, callId?: string): Promise<ReadArchive> {
  const manifest = await readManifest(storage);
  const reader = new ArchiveReader(keys, manifest.bodies > 0, callId);
  if (!isSigned(manifest, keys)) reader.problem("The manifest is not signed by any of the given keys.");
  for (const { name, sha256 } of manifest.parts) {
    const bytes = await storage.get(name);
    if (bytes === null) reader.problem(`${name} is missing.`);
    else if (createHash("sha256").update(bytes).digest("hex") !== sha256)
      reader.problem(`${name} was changed after it was written.`);
    else reader.readPart(bytes, name);
  }
  reader.end();
  if (reader.rows !== manifest.rows)
    reader.problem(`The archive has ${reader.rows} rows, but its manifest says ${manifest.rows}.`);
  return { manifest, problems: reader.problems, proof: reader.proof() };
}

async function readManifest(storage: ArchiveStorage): Promise<ArchiveManifest> {
  const bytes = await storage.get("manifest.json");
  const parsed = archiveManifest.safeParse(bytes === null ? undefined : fromJson(Buffer.from(bytes).toString("utf8")));
  if (parsed.success) return parsed.data;
  throw new AppError("not_found", `There is no archive at ${storage.name}: it has no manifest.json, or another one.`);
}

function* linesOf(bytes: Uint8Array): Generator<string> {
  const text = gunzipSync(bytes, { maxOutputLength: MAX_BYTES }).toString("utf8");
  for (const line of text.split("\n")) if (line !== "") yield line;
}

/** Whether a row is the audit event that answered a call's approval. */
function isAnswerOf(
  { record, target, action }: Readonly<Record<string, unknown>>,
  callId: string | undefined,
): boolean {
  return record === "audit" && target === callId && APPROVAL_ANSWERS.some((answer) => answer === action);
}

/** Verifies one line after the other. */
class ArchiveReader {
  readonly problems: string[] = [];
  rows = 0;
  readonly #keys: TrustedKeys;
  readonly #callId: string | undefined;
  readonly #records: SealedRecord[] = [];
  /** Whether `#records` has a row of the call. The event of its approval alone proves nothing. */
  #hasCall = false;
  /** The seal of the rows that follow. */
  #seal: SignedSeal | null = null;
  #hashes: readonly Buffer[] = [];
  readonly #hasBodies: boolean;
  /** The commitments of rows whose body was not read yet, by part and call. */
  readonly #commitments = new Map<string, string>();
  /** Those of bodies whose row was not read yet: a call may end in a later seal than the one that it began in. */
  readonly #bodies = new Map<string, string>();

  constructor(keys: TrustedKeys, hasBodies: boolean, callId: string | undefined) {
    this.#keys = keys;
    this.#hasBodies = hasBodies;
    this.#callId = callId;
  }

  problem(text: string): void {
    if (this.problems.length < MAX_PROBLEMS) this.problems.push(text);
  }

  readPart(bytes: Uint8Array, name: string): void {
    try {
      for (const line of linesOf(bytes)) this.#read(line, name);
    } catch {
      this.problem(`${name} cannot be unpacked.`);
    }
  }

  #read(text: string, part: string): void {
    const line = archiveLine.safeParse(fromJson(text));
    if (!line.success) this.problem(`${part} has a line that does not belong to an archive.`);
    else if (line.data.kind === "seal") this.#readSeal(line.data);
    else if (line.data.kind === "row") this.#readRow(line.data);
    else this.#readBody(line.data);
  }

  proof(): ExecutionProof | null {
    if (this.#callId === undefined || !this.#hasCall) return null;
    const keys = [...new Set(this.#records.map(({ seal }) => seal.keyId))].flatMap((kid) => {
      const x = this.#keys.get(kid);
      return x === undefined ? [] : [{ kty: "OKP" as const, crv: "Ed25519" as const, x, kid }];
    });
    return { callId: this.#callId, records: this.#records, keys };
  }

  #readSeal({ seal, hashes }: Extract<ArchiveLine, { kind: "seal" }>): void {
    const x = this.#keys.get(seal.keyId);
    if (x === undefined) this.problem(`Seal ${seal.number}: its key ${seal.keyId} is not among the given keys.`);
    else if (!isSignedBy(seal, x)) this.problem(`Seal ${seal.number}: its signature is not valid.`);
    this.#seal = seal;
    this.#hashes = hashesOf({ records: "", hashes: Buffer.from(hashes, "base64") });
    if (this.#hashes.length !== seal.count || treeHash(this.#hashes).toString("hex") !== seal.root)
      this.problem(`Seal ${seal.number}: its list of rows was changed.`);
  }

  #readRow({ seal, index, record }: Extract<ArchiveLine, { kind: "row" }>): void {
    this.rows += 1;
    if (this.#seal?.number !== seal || this.#hashes[index]?.equals(leafHash(record)) !== true)
      return this.problem(`Seal ${seal}: the row at ${index} was changed.`);
    const row = fromJson(record) as { readonly callId: string } & Readonly<Record<string, unknown>>;
    for (const part of ["arguments", "result"]) {
      const commitment = row[`${part}Commitment`];
      if (typeof commitment === "string" && this.#hasBodies)
        this.#compare(this.#commitments, this.#bodies, { callId: row.callId, part }, commitment);
    }
    const isOfCall = row.callId === this.#callId;
    if (!isOfCall && !isAnswerOf(row, this.#callId)) return;
    this.#hasCall ||= isOfCall;
    const path = inclusionPath(this.#hashes, index).map((hash) => hash.toString("hex"));
    this.#records.push({ record, index, path, seal: this.#seal });
  }

  #readBody({ callId, part, text, digest, sha256, bytes, key }: Extract<ArchiveLine, { kind: "body" }>): void {
    const cut = sha256 === null || bytes === null ? null : { sha256, bytes };
    // A body without a key equals no commitment.
    const commitment = key === null ? "" : commitmentOf({ text, digest, cut }, Buffer.from(key, "base64"));
    this.#compare(this.#bodies, this.#commitments, { callId, part }, commitment);
  }

  /** Compares a commitment with the one of the other kind, or keeps it until that is read. */
  #compare(
    own: Map<string, string>,
    others: Map<string, string>,
    { callId, part }: { readonly callId: string; readonly part: string },
    commitment: string,
  ): void {
    const name = `${part} ${callId}`;
    const other = others.get(name);
    if (other === undefined) own.set(name, commitment);
    else if (other !== commitment) this.problem(`${callId}: its ${part} differ from what was logged.`);
    others.delete(name);
  }

  /** Names the bodies that no row commits to. */
  end(): void {
    for (const name of this.#bodies.keys()) this.problem(`The archive has ${name}, but no row commits to it.`);
  }
}
