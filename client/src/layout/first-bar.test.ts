import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { tokenStore } from '../lib/session/browser-store.ts'
import { schemeStore } from '../theme/scheme-store.ts'
import { showFirstBar } from './first-bar.ts'

const { dataset } = document.documentElement

afterEach(() => vi.unstubAllGlobals())
beforeEach(() => {
  delete dataset.firstBar
  delete dataset.mantineColorScheme
})

describe('before the program is there', () => {
  it('a page of somebody signed in has its bar', () => {
    tokenStore.set('token-1')
    showFirstBar('/assignments/7/submissions')
    expect(dataset.firstBar).toBe('')
  })

  it('one without a bar, or of somebody signed out, has none', () => {
    tokenStore.set('token-1')
    showFirstBar('/auth/login')
    expect(dataset.firstBar).toBeUndefined()
    tokenStore.set(null)
    showFirstBar('/dashboard')
    expect(dataset.firstBar).toBeUndefined()
  })

  it.each([
    ['dark', window, null],
    ['light', {}, null],
    ['dark', {}, 'dark'],
  ])('the page is %s on a dark system: in a frame light, as most LMSs are, unless chosen', (scheme, parent, chosen) => {
    vi.stubGlobal('matchMedia', () => ({ matches: true }))
    vi.stubGlobal('parent', parent)
    schemeStore.set(chosen)
    showFirstBar('/')
    expect(dataset.mantineColorScheme).toBe(scheme)
  })

  it('the page has the colours chosen on this device', () => {
    schemeStore.set('dark')
    showFirstBar('/')
    expect(dataset.mantineColorScheme).toBe('dark')
    schemeStore.set('light')
    showFirstBar('/')
    expect(dataset.mantineColorScheme).toBe('light')
  })
})
