import type { Caller } from "@/lib/auth/agents/caller";
import { watchCredential } from "@/lib/auth/agents/watch-credential";
import { type AppError, toAppError } from "@/lib/errors";
import { eventStream, type EventSink } from "@/lib/http/event-stream";

/**
 * An event stream for one caller. Its last event is `closed` `{ code, message }` when the credential ends or `run` fails:
 * `unauthenticated` = return with another credential, `config_unavailable` = return later.
 */
export function callerStream(caller: Caller, run: (sink: EventSink) => Promise<void>): Response {
  return eventStream(async (sink) => {
    const close = ({ code, message }: AppError) => sink.end("closed", { code, message });
    const stop = watchCredential(caller, close);
    try {
      await run(sink);
    } catch (error) {
      close(toAppError(error));
    } finally {
      stop();
    }
  });
}
