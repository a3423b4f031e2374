-- A linked account ends with the name of its source too. A later source of the former name gets none of them.
CREATE TRIGGER end_linked_accounts_of_renamed AFTER UPDATE OF "name" ON "source" FOR EACH ROW
  WHEN (OLD."name" IS DISTINCT FROM NEW."name") EXECUTE FUNCTION end_linked_accounts();
