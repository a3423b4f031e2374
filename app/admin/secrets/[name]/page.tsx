import type { Metadata } from "next";
import { maySee } from "@/app/admin/may-see";
import { LazySecret } from "@/components/secrets/lazy-secrets";
import { NoPermission } from "@/components/shell/no-permission";

interface Props {
  params: Promise<{ name: string }>;
}

export async function generateMetadata({ params }: Props): Promise<Metadata> {
  return { title: `Secret ${decodeURIComponent((await params).name)}` };
}

// What is told of one secret.
export default async function SecretPage({ params }: Props) {
  const { name } = await params;
  const allowed = await maySee("configuration:read", `/admin/secrets/${name}`);
  return allowed ? <LazySecret name={decodeURIComponent(name)} /> : <NoPermission />;
}
