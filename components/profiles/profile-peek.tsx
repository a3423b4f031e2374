import { useGet } from "@/components/resource/use-get";
import { PROFILE_COLUMNS } from "@/components/profiles/profile-columns";
import { Peek } from "@/components/resource/peek";
import { WhenLoaded } from "@/components/resource/when-loaded";
import { EmptyState } from "@/components/ui/empty-state";
import { Fact, Facts } from "@/components/ui/text/facts";
import type { Page } from "@/lib/contracts/changes/list";
import type { ProfileRow } from "@/lib/resources/profile";

/** One profile with all facts of its list. */
export function ProfilePeek({ name, onClose }: { name: string; onClose: () => void }) {
  const profiles = useGet<Page<ProfileRow>>(["profiles", "list", "all"], "/api/admin/profiles?limit=500");
  return (
    <Peek id={name} title={name} description="profile" href={`/admin/profiles/${name}`} onClose={onClose}>
      <WhenLoaded of={profiles} skeleton="h-48">
        {({ items }) => <ProfileFacts profile={items.find((row) => row.name === name)} />}
      </WhenLoaded>
    </Peek>
  );
}

function ProfileFacts({ profile }: { profile: ProfileRow | undefined }) {
  if (profile === undefined)
    return (
      <EmptyState title="Profile not found">
        Profiles are defined in code, and this version has no profile of this name.
      </EmptyState>
    );
  return (
    <div className="flex flex-col gap-4">
      <Facts>
        {PROFILE_COLUMNS.slice(1).map(({ id, header, cell }) => (
          <Fact key={id} label={header}>
            {cell(profile, false)}
          </Fact>
        ))}
      </Facts>
      <p className="text-sm text-pretty text-muted">
        Profiles are defined in code and cannot be changed here. A restricted profile holds back new and changed tools
        until an administrator accepts them.
      </p>
    </div>
  );
}
