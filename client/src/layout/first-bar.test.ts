import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { tokenStore } from '../lib/session/browser-store.ts'
import { schemeStore } from '../theme/scheme-store.ts'
import { showFirstBar } from './first-bar.ts'

const { dataset } = document.documentElement

afterEach(() => vi.unstubAllGlobals())
beforeEach(() => {
  schemeStore.set(null)
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

  it('the page in a frame of a light LMS is light on a dark system, unless dark was chosen', () => {
    vi.stubGlobal('matchMedia', () => ({ matches: true }))
    showFirstBar('/')
    expect(dataset.mantineColorScheme).toBe('dark')
    vi.stubGlobal('parent', {})
    showFirstBar('/')
    expect(dataset.mantineColorScheme).toBe('light')
    schemeStore.set('dark')
    showFirstBar('/')
    expect(dataset.mantineColorScheme).toBe('dark')
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
