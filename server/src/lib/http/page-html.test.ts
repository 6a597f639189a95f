import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { createPageHtml } from './client-files.ts'

const folder = mkdtempSync(join(tmpdir(), 'assay-pages-'))
afterAll(() => rmSync(folder, { recursive: true }))
writeFileSync(
  join(folder, 'index.html'),
  '<html lang="en"><head><script type="module" src="/assets/start.js"></script></head></html>',
)
const files = (name: string) => ['assets/text.woff2', 'assets/shared.css', `assets/${name}.js`, 'assets/start.js']
const pages = [
  { path: '/courses/:courseId', files: files('course') },
  { path: '/courses/create', files: files('create') },
]
const pageFiles = { pages: [pages[1], pages[0]], launched: ['assets/launched.js', 'assets/start.js'] }
writeFileSync(join(folder, 'page-files.json'), JSON.stringify(pageFiles))

const htmlOf = createPageHtml(folder)
const hintsOf = (path: string, page?: string) =>
  [...htmlOf(path, page).matchAll(/<link rel="(\w+)"(?: fetchpriority="low")? crossorigin href="([^"]+)">/g)].map(
    ([, rel, href]) => `${rel} ${href}`,
  )

describe('the page of an address', () => {
  it('names the files of its screen, but not again what every page has', () => {
    expect(hintsOf('/courses/7')).toEqual(['stylesheet /assets/shared.css', 'modulepreload /assets/course.js'])
    expect(hintsOf('/courses/create/')).toEqual(['stylesheet /assets/shared.css', 'modulepreload /assets/create.js'])
  })

  it('names in a launch from an LMS those of the launch, too', () => {
    expect(hintsOf('/l/launch-0001/courses/7')).toEqual([
      'modulepreload /assets/launched.js',
      'stylesheet /assets/shared.css',
      'modulepreload /assets/course.js',
    ])
    expect(hintsOf('/l/launch-0001/enter')).toEqual(['modulepreload /assets/launched.js'])
  })

  it('names on the way into a launch those of the page that it leads to', () => {
    expect(hintsOf('/l/launch-0001/enter', '/courses/7')).toEqual(hintsOf('/l/launch-0001/courses/7'))
    expect(hintsOf('/l/launch-0001/enter', '/elsewhere')).toEqual(['modulepreload /assets/launched.js'])
    expect(hintsOf('/courses/create', '/courses/7')).toEqual(hintsOf('/courses/create'))
  })

  it('is light in a launch until its program knows better, as most LMSs are', () => {
    expect(htmlOf('/l/launch-0001/courses/7')).toContain('<html data-mantine-color-scheme="light"')
    expect(htmlOf('/courses/7')).not.toContain('data-mantine-color-scheme')
  })

  it('has the font on its way before the style sheet asks for it', () => {
    expect(htmlOf('/courses/7')).toContain(
      '<link rel="preload" as="font" type="font/woff2" crossorigin href="/assets/text.woff2">',
    )
  })

  it('asks for scripts after what draws the page’s bar', () => {
    expect(htmlOf('/courses/7').match(/<(?:script|link rel="modulepreload")[^>]*>/g)).toEqual([
      '<script type="module" fetchpriority="low" src="/assets/start.js">',
      '<link rel="modulepreload" fetchpriority="low" crossorigin href="/assets/course.js">',
    ])
  })

  it('is as it was built for any other address', () => {
    expect(hintsOf('/')).toEqual([])
    expect(hintsOf('/courses/7/more')).toEqual([])
    expect(hintsOf('/l/')).toEqual([])
  })
})
