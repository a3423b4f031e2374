import type { Metadata } from "next";
import { cookies } from "next/headers";
import { redirect } from "next/navigation";
import { ConnectForm } from "@/app/(auth)/connect/[id]/connect-form";
import { Wordmark } from "@/components/shell/wordmark";
import { viewConnectionRequest } from "@/lib/admin/connection-requests";
import { currentPerson } from "@/lib/auth/people/current-person";
import { beganHere } from "@/lib/auth/people/request-cookie";
import { forPerson } from "@/lib/store/db/database";

export const metadata: Metadata = { title: "Connect a client" };

/** Asks a person whether a client may act as one of their agents (docs/reference/client-sign-in.md). */
export default async function ConnectPage({ params }: { params: Promise<{ id: string }> }) {
  const { id } = await params;
  const person = await currentPerson();
  const userId = person?.userId ?? null;
  if (person === null || userId === null) redirect(`/sign-in?callbackUrl=${encodeURIComponent(`/connect/${id}`)}`);
  const isOurs = beganHere((await cookies()).toString(), id);
  const view = isOurs ? await forPerson(() => viewConnectionRequest(id, userId)) : null;
  return (
    <main className="flex min-h-dvh flex-col items-center justify-center gap-6 bg-panel px-4 py-16">
      <Wordmark />
      <div className="w-full max-w-md rounded-xl border border-line bg-raised p-6">
        <h1 className="mb-4 text-lg font-semibold">Connect a client</h1>
        {view === null ? (
          <p className="text-sm">
            This request has expired, was answered, or began in another browser. Start again in your client.
          </p>
        ) : (
          <ConnectForm id={id} view={view} userName={person.userName} />
        )}
      </div>
    </main>
  );
}
