import { existsSync } from 'node:fs'
import { type Browser, chromium } from 'playwright-core'

const candidates = [
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
]

/** The machine's own Chromium, kept from calling home: nothing but the page under test goes over the network. */
export async function openBrowser(): Promise<Browser> {
  const executablePath = candidates.find((path) => existsSync(path))
  if (!executablePath) throw new Error('no Chromium was found: `npm test` installs it')
  return chromium.launch({
    executablePath,
    headless: true,
    args: [
      '--no-sandbox',
      '--disable-gpu',
      '--disable-quic',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
    ],
  })
}

export const desktop = { width: 1280, height: 800 }
export const phone = { width: 390, height: 844 }
