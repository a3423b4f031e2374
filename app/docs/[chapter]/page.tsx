import type { Metadata } from "next";
import { notFound } from "next/navigation";
import { chaptersOf } from "@/components/docs/chapters";
import { OperationView } from "@/components/docs/operation-view";
import { WithCode } from "@/components/ui/json/with-code";
import { openApi } from "@/lib/contracts/openapi/document";

interface ChapterProps {
  params: Promise<{ chapter: string }>;
}

export async function generateMetadata({ params }: ChapterProps): Promise<Metadata> {
  return { title: (await chapterOf(params))?.title ?? "Not found" };
}

/** The operations of one chapter. */
export default async function ChapterPage({ params }: ChapterProps) {
  const chapter = await chapterOf(params);
  if (chapter === undefined) notFound();
  return (
    <>
      <div>
        <h1 className="text-xl font-semibold">{chapter.title}</h1>
        <WithCode as="p" className="mt-1 max-w-prose text-muted" text={chapter.description} />
      </div>
      {chapter.operations.map((operation) => (
        <OperationView key={operation.operationId} operation={operation} document={openApi} />
      ))}
    </>
  );
}

async function chapterOf(params: ChapterProps["params"]) {
  const { chapter: slug } = await params;
  return chaptersOf(openApi).find((chapter) => chapter.slug === slug);
}
