import userEvent from '@testing-library/user-event'

/** Pastes, since each typed letter renders the page; not for tests of typing. */
export async function fillIn(field: Element, text: string): Promise<void> {
  await userEvent.click(field)
  await userEvent.paste(text)
}
