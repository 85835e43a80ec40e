"""Errors of tasks, without their group."""

import asyncio

import pytest

from put_runtime.system_errors import unwrapped


async def fail(*errors: BaseException) -> None:
    """Fail in as many tasks."""
    async with asyncio.TaskGroup() as tasks:
        for error in errors:
            tasks.create_task(fail_with(error))


async def fail_with(error: BaseException) -> None:
    raise error


async def fail_unwrapped(*kinds: type[BaseException], errors: tuple[BaseException, ...]) -> None:
    """Fail in as many tasks below another, whose group is unwrapped."""
    async with unwrapped(*kinds), asyncio.TaskGroup() as tasks:
        tasks.create_task(fail(*errors))


@pytest.mark.parametrize("kinds", [(), (OSError,), (ValueError, OSError)])
async def test_first_error_of_nested_groups_is_raised_as_it_is(kinds: tuple[type[BaseException], ...]) -> None:
    """The same object, shown without its groups."""
    first = OSError("first")
    with pytest.raises(OSError, match="first") as caught:
        await fail_unwrapped(*kinds, errors=(first, OSError("second")))
    assert caught.value is first
    assert first.__suppress_context__


async def test_group_with_another_error_is_left_whole() -> None:
    """A bug beside an expected error is not hidden."""
    errors = (OSError(), KeyError())
    with pytest.raises(ExceptionGroup) as caught:
        await fail_unwrapped(OSError, errors=errors)
    (inner,) = caught.value.exceptions
    assert isinstance(inner, ExceptionGroup)
    assert inner.exceptions == errors
