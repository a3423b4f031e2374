-- AlterTable
ALTER TABLE "token" ADD COLUMN     "ownerId" UUID;

-- AlterTable
ALTER TABLE "person" ADD COLUMN     "openIdCheckedAt" TIMESTAMPTZ(3),
ADD COLUMN     "openIdClaimedAt" TIMESTAMPTZ(3),
ADD COLUMN     "openIdGrant" TEXT,
ADD COLUMN     "openIdRefused" BOOLEAN NOT NULL DEFAULT false;

-- A token belongs to the person who made it, or who made the token that made it. One from the command line belongs to
-- nobody; one whose maker is no person any more gets an id that nobody has, and is refused.
WITH RECURSIVE made(name, maker) AS (
  SELECT name, "createdBy" FROM "token"
  UNION SELECT made.name, "token"."createdBy" FROM made JOIN "token" ON "token".name = made.maker
), owned AS (
  SELECT made.name, person.id FROM made JOIN "person" ON made.maker = CASE WHEN issuer IS NULL THEN email ELSE person.name END
)
UPDATE "token" SET "ownerId" = coalesce((SELECT id FROM owned WHERE owned.name = "token".name LIMIT 1), '00000000-0000-0000-0000-000000000000')
WHERE NOT EXISTS (SELECT 1 FROM made WHERE made.name = "token".name AND made.maker = 'command line');
