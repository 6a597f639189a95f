import userEvent from '@testing-library/user-event'

/** Pastes, as each typed letter would render the page again: for tests of anything but typing. */
export async function fillIn(field: Element, text: string): Promise<void> {
  await userEvent.click(field)
  await userEvent.paste(text)
}
