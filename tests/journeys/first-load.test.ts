import { expect, it } from 'vitest'
import { useProduct } from './support/use-product.ts'

const product = useProduct()

it('sends under 250 KB for the sign-in page, including font and styles, without PDF viewer and live updates', async () => {
  const { page, context } = await product.open()
  const devtools = await context.newCDPSession(page)
  await devtools.send('Network.enable')
  const sizes = new Map<string, number>()
  const urls = new Map<string, string>()
  devtools.on('Network.requestWillBeSent', ({ requestId, request }) => urls.set(requestId, request.url))
  devtools.on('Network.loadingFinished', ({ requestId, encodedDataLength }) => sizes.set(requestId, encodedDataLength))
  await page.goto('/auth/login')
  await page.getByRole('button', { name: 'Sign in', exact: true }).waitFor()
  await page.waitForLoadState('networkidle')

  const bytes = [...sizes.values()].reduce((sum, size) => sum + size, 0)
  // A page of a few KB would mean that transfers were not counted.
  expect(bytes).toBeGreaterThan(50_000)
  expect(bytes).toBeLessThan(250_000)
  const loaded = [...urls.values()].join('\n')
  expect(loaded).not.toMatch(/pdf|socket\.io|chart/i)
  expect(product.browserErrors).toEqual([])
})
