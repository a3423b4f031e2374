import type { Metadata } from "next";
import { notFound } from "next/navigation";
import { maySee } from "@/app/admin/may-see";
import { LazyProfileDrift } from "@/components/profiles/lazy-profiles";
import { NoPermission } from "@/components/shell/no-permission";
import { profiles } from "@/lib/access/compile/profiles";

interface Props {
  params: Promise<{ name: string }>;
}

export async function generateMetadata({ params }: Props): Promise<Metadata> {
  return { title: `Profile ${decodeURIComponent((await params).name)}` };
}

// What drift holds back from one profile.
export default async function ProfilePage({ params }: Props) {
  const { name } = await params;
  const here = `/admin/profiles/${name}`;
  if (!(await maySee("configuration:read", here))) return <NoPermission />;
  if (!profiles.has(name)) notFound();
  return <LazyProfileDrift name={name} canAccept={await maySee("profile-drift:accept", here)} />;
}
