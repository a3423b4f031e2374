-- AlterTable
CREATE SEQUENCE view_revision_seq;
ALTER TABLE "view" ADD COLUMN     "columns" TEXT[] DEFAULT ARRAY[]::TEXT[],
ALTER COLUMN "revision" SET DEFAULT nextval('view_revision_seq');
ALTER SEQUENCE view_revision_seq OWNED BY "view"."revision";

-- Views of a person that nobody else sees go with the person; shared ones stay, and an admin may delete them.
CREATE FUNCTION forget_views() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  DELETE FROM "view" WHERE "owner" = 'user:' || OLD."id" AND NOT "shared";
  RETURN NULL;
END $$;
CREATE TRIGGER forget_views AFTER DELETE ON "person" FOR EACH ROW EXECUTE FUNCTION forget_views();
