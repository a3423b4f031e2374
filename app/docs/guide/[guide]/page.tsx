import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { Metadata } from "next";
import { notFound } from "next/navigation";
import { DOCUMENTS } from "@/components/docs/guides";
import { Markdown } from "@/components/docs/markdown";
import { publicOrigin } from "@/lib/env";

interface GuideProps {
  params: Promise<{ guide: string }>;
}

export async function generateMetadata({ params }: GuideProps): Promise<Metadata> {
  return { title: (await guideOf(params))?.title ?? "Not found" };
}

/** The address of a server at home, as the guides in the repository name it. */
const ADDRESS = "http://127.0.0.1:3000";

/** One guide or reference, as it is in the repository, with the address of this server. */
export default async function GuidePage({ params }: GuideProps) {
  const guide = await guideOf(params);
  if (guide === undefined) notFound();
  const text = await readFile(join(process.cwd(), "docs", guide.path), "utf8");
  return (
    <article>
      <Markdown text={text.replaceAll(ADDRESS, publicOrigin())} path={guide.path} />
    </article>
  );
}

async function guideOf(params: GuideProps["params"]) {
  const { guide: name } = await params;
  return DOCUMENTS.find((guide) => guide.name === name);
}
