import { webcrypto } from "node:crypto";
import {
  ClientSecretPost,
  dynamicClientRegistrationRequest,
  None,
  PrivateKeyJwt,
  processDynamicClientRegistrationResponse,
  type AuthorizationServer,
  type Client,
  type ClientAuth,
} from "oauth4webapi";
import { clientBasic } from "@/lib/calls/credentials/token-endpoint";
import { LinkProblem } from "@/lib/calls/linked-accounts/link-problem";
import { clientMetadata, documentClientId, redirectUri } from "@/lib/calls/linked-accounts/our-client";
import { throughOutbound } from "@/lib/calls/linked-accounts/request-server";
import type { LinkableSource } from "@/lib/calls/linked-accounts/discovery";
import { AppError } from "@/lib/errors";
import type { Outbound } from "@/lib/outbound/fetch";
import { readSecretValue } from "@/lib/store/config/secrets";
import { clientKeys } from "@/lib/store/keys/client-keys";
import { ATTEMPT_MS, hasOpenAttempt } from "@/lib/store/keys/link-attempts";
import { findRegistration, saveRegistration } from "@/lib/store/keys/upstream-clients";
import type { LinkClient } from "@/lib/store/keys/linked-accounts";

/**
 * Quartermaster as a client of an authorization server: the client that the source configures, else our client document
 * where the server takes one, else a dynamic registration (the order of MCP, Authorization, Client Registration).
 *
 * @param personId who begins to sign in
 * @throws LinkProblem `not_supported` when the server offers none of them
 */
export async function clientFor(
  { name, auth }: LinkableSource,
  personId: string,
  server: AuthorizationServer,
  send: Outbound,
  now: number,
): Promise<LinkClient> {
  const { clientId, secret } = auth;
  if (clientId !== null) {
    if (secret === null) return { id: clientId, via: "configured", method: unsharedMethod(server), secret: null };
    return { id: clientId, via: "configured", method: sharedMethod(server), secret: { name: secret } };
  }
  const method = unsharedMethod(server);
  const documentId = documentClientId(method === "none" ? "public" : "signed");
  if (server["client_id_metadata_document_supported"] === true && documentId !== null)
    return { id: documentId, via: "document", method, secret: null };
  if (server.registration_endpoint !== undefined) return findOrRegister(server, { personId, source: name }, send, now);
  throw new LinkProblem(
    "not_supported",
    `${server.issuer} takes neither our client document nor a registration: an administrator must register Quartermaster there and set \`clientId\` in the source's \`auth\`.`,
  );
}

/** How a client without a shared secret authenticates: not at all where the server allows it, else with a signature. */
function unsharedMethod({
  token_endpoint_auth_methods_supported: methods,
}: AuthorizationServer): "none" | "private_key_jwt" {
  return methods === undefined || methods.includes("none") || !methods.includes("private_key_jwt")
    ? "none"
    : "private_key_jwt";
}

/** RFC 8414, 2: a server that lists no methods takes HTTP Basic. */
function sharedMethod({
  token_endpoint_auth_methods_supported: methods = ["client_secret_basic"],
}: AuthorizationServer): "client_secret_basic" | "client_secret_post" {
  return !methods.includes("client_secret_basic") && methods.includes("client_secret_post")
    ? "client_secret_post"
    : "client_secret_basic";
}

/**
 * The stored registration, else a new one. A server that has forgotten a client answers the browser with an error
 * page (RFC 6749, 4.1.2.1), so we learn it only from the person, who does not come back and begins again. People also begin
 * again for other reasons, so a registration is not replaced in its first ten minutes, nor when the server registers no other.
 */
async function findOrRegister(
  server: AuthorizationServer,
  { personId, source }: { readonly personId: string; readonly source: string },
  send: Outbound,
  now: number,
): Promise<LinkClient> {
  const known = await findRegistration(server.issuer, redirectUri(), now);
  if (known === null) return register(server, send, now);
  const isNew = known.createdAt.getTime() > now - ATTEMPT_MS;
  if (isNew || !(await hasOpenAttempt(personId, source, now))) return known.client;
  return register(server, send, now).catch(() => known.client);
}

/** Registers Quartermaster (RFC 7591) for later sign-ins, too. */
async function register(server: AuthorizationServer, send: Outbound, now: number): Promise<LinkClient> {
  const methods = server.token_endpoint_auth_methods_supported ?? ["none"];
  const unshared = methods.includes("none") || methods.includes("private_key_jwt");
  const metadata = clientMetadata(unshared ? unsharedMethod(server) : sharedMethod(server));
  const response = await dynamicClientRegistrationRequest(
    server,
    { ...metadata } as unknown as Client,
    throughOutbound(send),
  );
  const answer = await processDynamicClientRegistrationResponse(await withExpiry(response)).catch((cause: unknown) => {
    throw new LinkProblem("not_supported", `${server.issuer} refused to register Quartermaster as a client.`, {
      cause,
    });
  });
  const client = toClient(answer, metadata.token_endpoint_auth_method);
  const { client_secret_expires_at: expires } = answer;
  const expiresAt = typeof expires === "number" && expires > 0 ? new Date(expires * 1000) : null;
  await saveRegistration(server.issuer, redirectUri(), { client, expiresAt }, new Date(now));
  return client;
}

/** Adds `client_secret_expires_at` where a server omits it with a secret. The library requires it (RFC 7591, 3.2.1). */
async function withExpiry(response: Response): Promise<Response> {
  if (response.status !== 201) return response;
  const text = await response.text();
  const { status, headers } = response;
  try {
    const answer = JSON.parse(text) as Record<string, unknown>;
    const never = answer["client_secret"] !== undefined && answer["client_secret_expires_at"] === undefined;
    return new Response(JSON.stringify(never ? { ...answer, client_secret_expires_at: 0 } : answer), {
      status,
      headers,
    });
  } catch {
    return new Response(text, { status, headers });
  }
}

/** A server may choose another method than the requested one (RFC 7591, 3.2.1). */
function toClient(
  {
    client_id: id,
    client_secret: secret,
    token_endpoint_auth_method: chosen,
  }: Awaited<ReturnType<typeof processDynamicClientRegistrationResponse>>,
  requested: LinkClient["method"],
): LinkClient {
  const method = (chosen as LinkClient["method"] | undefined) ?? requested;
  if (method === "none" || method === "private_key_jwt") return { id, via: "registered", method, secret: null };
  if ((method === "client_secret_basic" || method === "client_secret_post") && typeof secret === "string")
    return { id, via: "registered", method, secret: { value: secret } };
  throw new LinkProblem("not_supported", "The server registered Quartermaster with a method that it does not support.");
}

/**
 * Authenticates a request to the token or the revocation endpoint.
 *
 * @throws AppError `upstream_auth_failed` for a secret that may not be sent there
 */
export async function authenticationOf({ method, secret }: LinkClient, url: string): Promise<ClientAuth> {
  switch (method) {
    case "none":
      return None();
    case "private_key_jwt": {
      const [{ key, jwk }] = clientKeys();
      const pkcs8 = key.export({ format: "der", type: "pkcs8" });
      const signing = { name: "ECDSA", namedCurve: "P-256" } as const;
      const imported = await webcrypto.subtle.importKey("pkcs8", pkcs8, signing, false, ["sign"]);
      return PrivateKeyJwt({ key: imported, kid: jwk.kid });
    }
    case "client_secret_basic":
      return basicWith(await secretValue(secret, url));
    case "client_secret_post":
      return ClientSecretPost(await secretValue(secret, url));
  }
}

/** The library's own function also encodes `-` and the like, which servers that do not decode refuse. */
function basicWith(secret: string): ClientAuth {
  return (_server, { client_id: id }, _body, headers) => headers.set("authorization", clientBasic(id, secret));
}

async function secretValue(secret: LinkClient["secret"], url: string): Promise<string> {
  if (secret === null) throw new AppError("upstream_auth_failed", "The client at the upstream has no secret.");
  if ("value" in secret) return secret.value;
  const { value, origins } = await readSecretValue(secret.name);
  const { origin } = new URL(url);
  if (!origins.includes(origin))
    throw new AppError(
      "upstream_auth_failed",
      `The secret \`${secret.name}\` may not be sent to ${origin}: an administrator can add this origin to the secret.`,
    );
  return value;
}
