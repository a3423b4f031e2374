import { cookies } from "next/headers";
import type { ReactNode } from "react";
import { factsFor } from "@/app/admin/resource-facts";
import { PauseBanner } from "@/components/pause/pause-banner";
import { UnconfirmedBanner } from "@/components/requests/unconfirmed-banner";
import { WhoProvider } from "@/components/resource/who";
import { Header } from "@/components/shell/header";
import { Sidebar } from "@/components/shell/sidebar";
import { StaleNote } from "@/components/shell/stale-note";
import { SkipLink } from "@/components/shell/skip-link";
import { THEME_COOKIE, toTheme } from "@/components/shell/theme";
import { currentPerson } from "@/lib/auth/people/current-person";
import { can } from "@/lib/resources/permissions";

/** The frame of the app with the signed-in person. Each page checks its own permission. */
export default async function AdminLayout({ children }: { children: ReactNode }) {
  const person = await currentPerson();
  // The page redirects a person without a sign-in, because it knows the address to return to.
  if (person === null) return children;
  const theme = toTheme((await cookies()).get(THEME_COOKIE)?.value);
  return (
    <WhoProvider who={{ id: person.userId ?? person.actor.name, role: person.role }}>
      <div className="frame flex h-dvh min-h-0 overflow-hidden">
        <SkipLink />
        <div className="max-md:hidden">
          <Sidebar role={person.role} />
        </div>
        <div className="flex min-w-0 flex-1 flex-col">
          <Header
            person={{ name: person.userName, role: person.role, hasPassword: person.hasPassword }}
            theme={theme}
            facts={factsFor(person.role)}
          />
          <PauseBanner role={person.role} />
          {can(person.role, "changes:approve") && <UnconfirmedBanner />}
          <StaleNote />
          <main
            id="main"
            tabIndex={-1}
            className="relative flex min-h-0 flex-1 scroll-pb-20 flex-col overflow-y-auto outline-none max-sm:scroll-pb-28 md:has-data-peek:pr-[min(50%,36rem)]"
          >
            {children}
          </main>
        </div>
      </div>
    </WhoProvider>
  );
}
