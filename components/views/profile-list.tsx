"use client";

import { useQuery } from "@tanstack/react-query";
import { ProblemNote } from "@/components/resource/problem-note";
import { request } from "@/components/resource/request";
import { Badge } from "@/components/ui/badge";
import { Skeleton } from "@/components/ui/skeleton";
import { Table, Td, Th } from "@/components/ui/table";
import type { Profile } from "@/lib/access/profiles";

/** The ceilings that live in code: what an agent process of each role can never go beyond. */
export function ProfileList() {
  const profiles = useQuery({
    queryKey: ["profiles", "list"],
    queryFn: ({ signal }) => request<{ items: readonly Profile[] }>("/api/admin/profiles", { signal }),
  });
  return (
    <div className="flex min-h-0 flex-1 flex-col">
      <div className="px-5 py-4">
        <h1 className="text-lg font-semibold tracking-tight">Profiles</h1>
        <p className="mt-1 max-w-2xl text-sm text-muted">
          A profile is a ceiling for a role inside an agent process. Profiles are code: they are reviewed in the
          repository and cannot be changed here.
        </p>
      </div>
      {profiles.isError ? (
        <ProblemNote error={profiles.error} onRetry={() => void profiles.refetch()} />
      ) : profiles.isPending ? (
        <Skeleton className="mx-5 h-32" />
      ) : (
        <Table label="Profiles">
          <thead>
            <tr>
              <Th className="pl-5">Name</Th>
              <Th>Meaning</Th>
              <Th>Allowed sources</Th>
              <Th>Allowed operations</Th>
              <Th>Denied sources</Th>
              <Th className="w-full">Denied operations</Th>
            </tr>
          </thead>
          <tbody>
            {profiles.data.items.map((profile) => (
              <tr key={profile.name}>
                <Td className="pl-5 font-medium whitespace-nowrap">{profile.name}</Td>
                <Td className="min-w-40 text-muted">{profile.meaning}</Td>
                <Words words={profile.allowedSources} />
                <Words words={profile.allowedNames} />
                <Words words={profile.deniedSources} denied />
                <Words words={profile.deniedNames} denied />
              </tr>
            ))}
          </tbody>
        </Table>
      )}
    </div>
  );
}

function Words({ words, denied = false }: { words: Iterable<string>; denied?: boolean }) {
  const all = [...words];
  return (
    <Td>
      {all.length === 0 ? (
        <span className="text-faint">none</span>
      ) : (
        <span className="flex flex-wrap gap-1">
          {all.map((word) => (
            <Badge key={word} tone={denied ? "deny" : "neutral"} mono>
              {word === "*" ? "all" : word}
            </Badge>
          ))}
        </span>
      )}
    </Td>
  );
}
