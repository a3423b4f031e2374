import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { Metadata } from "next";
import { notFound } from "next/navigation";
import { GUIDES } from "@/components/docs/guides";
import { Markdown } from "@/components/docs/markdown";

interface GuideProps {
  params: Promise<{ guide: string }>;
}

export async function generateMetadata({ params }: GuideProps): Promise<Metadata> {
  return { title: (await guideOf(params))?.title ?? "Not found" };
}

/** One guide, as it is in the repository. */
export default async function GuidePage({ params }: GuideProps) {
  const guide = await guideOf(params);
  if (guide === undefined) notFound();
  const text = await readFile(join(process.cwd(), "docs/guides", `${guide.name}.md`), "utf8");
  return (
    <article>
      <Markdown text={text} />
    </article>
  );
}

async function guideOf(params: GuideProps["params"]) {
  const { guide: name } = await params;
  return GUIDES.find((guide) => guide.name === name);
}
