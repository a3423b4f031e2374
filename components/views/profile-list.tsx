"use client";

import { useQuery } from "@tanstack/react-query";
import { ProblemNote } from "@/components/resource/problem-note";
import { request } from "@/components/resource/request";
import { Badge } from "@/components/ui/badge";
import { Skeleton } from "@/components/ui/skeleton";
import { Table, Td, Th } from "@/components/ui/table";
import { TextLink } from "@/components/ui/text-link";
import type { ProfileRow } from "@/lib/resources/profile";

/** The ceilings that live in code: what an agent process of each role can never go beyond. */
export function ProfileList() {
  const profiles = useQuery({
    queryKey: ["profiles", "list"],
    queryFn: ({ signal }) => request<{ items: readonly ProfileRow[] }>("/api/admin/profiles", { signal }),
  });
  return (
    <div className="flex min-h-0 flex-1 flex-col">
      <div className="px-5 py-4">
        <h1 className="sr-only">Profiles</h1>
        <p className="max-w-4xl text-sm text-pretty text-muted">
          A profile is a ceiling for a role inside an agent process. Profiles are code: they are reviewed in the
          repository and cannot be changed here. A tool that is new or changed stays held back from a restricted profile
          until an administrator accepts it.
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
              <Th>Held back</Th>
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
                <Td className="whitespace-nowrap">
                  <HeldBack profile={profile} />
                </Td>
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

function HeldBack({ profile: { name, drift } }: { profile: ProfileRow }) {
  if (drift === 0) return <span className="text-faint">none</span>;
  return (
    <TextLink href={`/admin/profiles/${name}`}>
      <Badge tone="warn">{`${drift.toLocaleString("en")} ${drift === 1 ? "tool" : "tools"}`}</Badge>
      <span className="sr-only"> held back from {name}</span>
    </TextLink>
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
