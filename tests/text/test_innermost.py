"""What a command does in the end, whatever runs it, and where it writes to by its options."""

import pytest

from memorybank.text.commands import forms
from memorybank.text.commands.fingerprint import written_files


@pytest.mark.parametrize(
    ("command", "inner"),
    [
        ("git -C service push origin main", ["git push origin main"]),
        ("python manage.py migrate", ["manage.py migrate"]),
        ("uv run python manage.py migrate", ["manage.py migrate"]),
        ("docker exec -it app php artisan migrate --force", ["artisan migrate"]),
        ("docker compose exec web rails db:migrate", ["rails db:migrate"]),
        ("docker compose -f ci.yml exec -T web bundle exec rspec", ["rspec"]),
        ("docker compose run --rm web python -m pytest", ["pytest"]),
        ("docker run --rm -v a:b node:20 npm publish", ["npm publish"]),
        ("kubectl exec -n shop web-1 -- rails db:seed", ["rails db:seed"]),
        ("./gradlew test", ["gradle test"]),
        ("sudo systemctl restart web", ["systemctl restart web"]),
        ("docker compose up -d", []),
        ("docker run postgres", []),
        ("docker compose exec web", []),
        ("docker build .", []),
        ("npm publish", []),
    ],
)
def test_the_form_of_what_a_command_does_in_the_end(command, inner):
    assert forms.of_inner(command) == inner


@pytest.mark.parametrize(
    ("command", "written"),
    [
        ("curl -fsSL https://example.org/a.js -o vendor/a.js", ["vendor/a.js"]),
        ("curl --output-dir=vendor -O https://example.org/a.js", ["vendor"]),
        ("cd vendor && curl -o a.js https://example.org/a.js", ["vendor/a.js"]),
        ("wget -P vendor https://example.org/a.js", ["vendor"]),
        ("tar -C vendor -xzf lib.tgz", ["vendor"]),
        ("tar xzf lib.tgz -C vendor", ["vendor"]),
        ("tar -czf out.tgz -C vendor .", []),
        ("tar -tf lib.tgz -C vendor", []),
        ("unzip lib.zip -d vendor", ["vendor"]),
        ("cp -t vendor a.js b.js", ["vendor"]),
        ("npx typegen --output vendor/types.ts", ["vendor/types.ts"]),
        ("curl https://example.org/vendor/a.js", []),
    ],
)
def test_options_say_where_a_command_writes(command, written):
    assert written_files(command, "/repository") == written
