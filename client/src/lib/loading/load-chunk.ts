let failed = false

/** A retry first loads missing style sheets, which the bundler requests only once. */
export async function loadChunk<T>(load: () => Promise<T>): Promise<T> {
  try {
    if (failed) await reloadMissingStylesheets()
    failed = false
    return await load()
  } catch (cause) {
    failed = true
    throw cause
  }
}

async function reloadMissingStylesheets(): Promise<void> {
  const links = document.head.querySelectorAll<HTMLLinkElement>('link[rel="stylesheet"]')
  await Promise.all([...links].filter((link) => link.sheet === null).map(reloadStylesheet))
}

function reloadStylesheet(link: HTMLLinkElement): Promise<void> {
  return new Promise((resolve, reject) => {
    const again = document.createElement('link')
    again.rel = 'stylesheet'
    again.href = link.href
    again.onload = () => resolve()
    again.onerror = () => reject(new Error(`${link.href} did not load`))
    link.replaceWith(again)
  })
}
