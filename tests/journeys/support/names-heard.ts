import type { Page } from 'playwright-core'

export interface Heard {
  /** Those of the words that occur in it; letters' case does not count. */
  find: (words: readonly string[]) => Promise<string[]>
}

export function listenForNames(page: Page): Heard {
  const told: Promise<string>[] = []
  page.on('response', (response) => {
    const type = response.headers()['content-type'] ?? ''
    const read = /json|text|csv/.test(type) && response.url().includes('/api/')
    // A reply that is gone with its page was not read by anyone.
    if (read) told.push(response.text().catch(() => ''))
  })
  page.on('websocket', (socket) =>
    socket.on('framereceived', ({ payload }) => void told.push(Promise.resolve(String(payload)))),
  )
  return {
    async find(words) {
      const all = [...(await Promise.all(told)), await page.content()].join('\n').toLowerCase()
      return words.filter((word) => all.includes(word.toLowerCase()))
    },
  }
}
