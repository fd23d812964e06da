"""What destroys data or the work of others is recognised in what a text says of commands."""

import pytest

from memorybank.text.prompts.destroying import destroys, without_destroying


@pytest.mark.parametrize(
    "command",
    [
        "php artisan migrate:fresh",
        "prisma db push --accept-data-loss",
        "supabase db reset",
        "redis-cli FLUSHDB",
        "rm -f -r data",
        "rm --recursive --force data",
        "rm -rf /var/lib/mysql/target",
        "git checkout -- .",
        "git push origin +main",
        "drop the `orders` table",
        "kubectl delete ns prod",
        "データベースを一旦削除",
    ],
)
def test_what_destroys(command):
    assert destroys(command)
    assert without_destroying(f"The lock was stale. I ran `{command}`.") == "The lock was stale."


@pytest.mark.parametrize("command", ["rm -rf node_modules", "rm -rf ./dist", "rm -rf apps/web/.next", "git checkout main", "rm -f x.log", "npm ci"])
def test_what_can_be_made_again(command):
    assert not destroys(command)
