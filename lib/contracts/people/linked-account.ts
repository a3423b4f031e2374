import { z } from "zod";
import { pageOf } from "@/lib/contracts/changes/list";

/** The state of a linked account: usable, or ended by the upstream, so that the person must sign in there again. */
const LINK_STATES = ["linked", "sign_in_again"] as const;

/** The page has a sentence for each. */
const LINK_PROBLEMS = [
  "declined",
  "expired",
  "other_person",
  "other_session",
  "signed_out",
  "mismatch",
  "refused",
  "unreachable",
  "not_supported",
  "changed",
] as const;

/** Why an account could not be linked. */
export type LinkProblemCode = (typeof LINK_PROBLEMS)[number];

/** A linked account, without its tokens. */
export const linkedAccountRow = z.object({
  id: z.uuid(),
  source: z.string(),
  /** The name of the person; `null` = the person was deleted. */
  person: z.string().nullable(),
  /** Whether it is the account of the person who reads. */
  own: z.boolean(),
  /** The only origin to which its tokens are sent. */
  origin: z.string(),
  /** The authorization server that issued its tokens. */
  issuer: z.string(),
  scope: z.string(),
  /** Scopes that the upstream demanded for a call and that were not granted; `null` = none. The next sign-in asks for them. */
  wantedScope: z.string().nullable(),
  state: z.enum(LINK_STATES),
  linkedAt: z.iso.datetime(),
  refreshedAt: z.iso.datetime().nullable(),
  /** When the last refresh failed; `null` = it succeeded, or there was none. */
  refreshFailedAt: z.iso.datetime().nullable(),
  lastUsedAt: z.iso.datetime().nullable(),
});

/** A page of linked accounts. */
export const linkedAccountPage = pageOf(linkedAccountRow);

/** The facts of the connect page of one source, for the person who reads. */
export const linkStatus = z.object({
  source: z.string(),
  displayName: z.string().nullable(),
  /** Whether the source requires the user's own sign-in, and is enabled. */
  linkable: z.boolean(),
  /** Whether the reader is a person in a session. An access token cannot link an account. */
  session: z.boolean(),
  /** The origin to which the tokens would be sent. */
  origin: z.string().nullable(),
  /** The authorization server at which the person would sign in; `null` = it was not found. */
  issuer: z.string().nullable(),
  /** The scopes that would be requested; empty = the server's default. */
  scope: z.string(),
  /** Why the person cannot start now. */
  problem: z.object({ code: z.enum(LINK_PROBLEMS), message: z.string() }).nullable(),
  account: linkedAccountRow.nullable(),
});

/** The answer to the start of a link: the address at which the person signs in. */
export const linkStarted = z.object({ url: z.url() });

/** The answer to the end of a link: whether the upstream revoked the tokens. `later`: a job repeats the request. */
export const linkEnded = z.object({ upstream: z.enum(["revoked", "not_offered", "later"]) });

/** A linked account. */
export type LinkedAccountRow = z.output<typeof linkedAccountRow>;
/** The facts of a connect page. */
export type LinkStatus = z.output<typeof linkStatus>;
/** The answer to the end of a link. */
export type LinkEnded = z.output<typeof linkEnded>;
