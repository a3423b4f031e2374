import { Badge } from "@/components/ui/badge";
import { TextLink } from "@/components/ui/text-link";
import type { SecretRow } from "@/lib/resources/secret";

/** A secret's name, and whether it must be set again. */
export function SecretName({ secret: { name, readable } }: { secret: SecretRow }) {
  return (
    <>
      {name}
      {!readable && (
        <Badge tone="deny" className="ml-2">
          unreadable: set it again
        </Badge>
      )}
    </>
  );
}

/** The sources that name it. */
export function Uses({ sources }: { sources: readonly string[] }) {
  if (sources.length === 0) return <span className="text-faint">nothing</span>;
  return (
    <span className="flex flex-wrap gap-x-2">
      {sources.map((source) => (
        <TextLink key={source} href={`/admin/sources/${encodeURIComponent(source)}`}>
          {source}
        </TextLink>
      ))}
    </span>
  );
}

/** The origins that may receive it. */
export function Origins({ origins }: { origins: readonly string[] }) {
  return (
    <span className="flex flex-wrap gap-1">
      {origins.map((origin) => (
        <Badge key={origin} mono>
          {origin}
        </Badge>
      ))}
    </span>
  );
}
