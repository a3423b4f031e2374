import type { Person } from "@/lib/auth/people/user";
import type { Viewer } from "@/lib/store/config/saved-views";

/** The owner of a view: the person, or the token. */
export function viewerOf({ userId, role, actor }: Person): Viewer {
  return { role, owner: userId === null ? `token:${actor.name}` : `user:${userId}` };
}
