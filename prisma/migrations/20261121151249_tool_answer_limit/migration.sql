-- A tool says what its answers may weigh; null is the house default, as for what it said before.
UPDATE "tool" SET "limits" = '{"answerMiB": null}'::jsonb || "limits" WHERE NOT "limits" ? 'answerMiB';
