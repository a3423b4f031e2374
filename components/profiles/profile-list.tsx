import { PROFILE_COLUMNS } from "@/components/profiles/profile-columns";
import { List } from "@/components/resource/list/list";
import type { Filter } from "@/components/resource/view";
import { lazyPart } from "@/components/ui/lazy-part";
import type { ProfileRow } from "@/lib/resources/profile";

const Peek = lazyPart(async () => (await import("@/components/profiles/profile-peek")).ProfilePeek);

const FILTERS: readonly Filter[] = [];

/** The profiles, which are defined in code: the most that an agent process of each role can see. */
export function ProfileList() {
  return (
    <List<ProfileRow>
      list="profiles"
      words={["profile", "profiles"]}
      columns={PROFILE_COLUMNS}
      idOf={(row) => row.name}
      filters={FILTERS}
      searches="Search name or meaning…"
      sort="name"
      exports
      renderPeek={(id, onClose) => <Peek name={id} onClose={onClose} />}
    />
  );
}
