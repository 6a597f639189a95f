import { MantineProvider } from '@mantine/core'
import { act, cleanup, render } from '@testing-library/react'
import * as fc from 'fast-check'
import { useState } from 'react'
import { createMemoryRouter, RouterProvider } from 'react-router-dom'
import { expect, it } from 'vitest'
import { type NavigationGuard, useUnsavedChanges } from './useUnsavedChanges.ts'

interface Form {
  guard: NavigationGuard
  type: (value: string) => void
  save: () => void
  cancel: () => void
}

let form: Form | undefined

function Screen() {
  const [saved, setSaved] = useState('a')
  const [value, setValue] = useState('a')
  const guard = useUnsavedChanges(value !== saved)
  form = { guard, type: setValue, save: () => setSaved(value), cancel: () => setValue(saved) }
  return null
}

function buildForm() {
  const router = createMemoryRouter(
    [
      { path: '/form', Component: Screen },
      { path: '/away', element: null },
      { path: '/farther', element: null },
    ],
    { initialEntries: ['/form'] },
  )
  render(
    <MantineProvider env="test">
      <RouterProvider router={router} />
    </MantineProvider>,
  )
  return {
    router,
    get form() {
      if (!form) throw new Error('the form is not shown')
      return form
    },
  }
}

function asksBeforeClosing(): boolean {
  return !window.dispatchEvent(new Event('beforeunload', { cancelable: true }))
}

const step = fc.oneof(
  fc.record({ do: fc.constant('type' as const), value: fc.constantFrom('a', 'b', 'c') }),
  fc.record({ do: fc.constantFrom('save', 'cancel', 'navigate', 'stay', 'leave', 'come back') }),
)

it('asks before leaving exactly while what was entered differs from what is saved', async () => {
  await fc.assert(
    fc
      .asyncProperty(fc.array(step, { maxLength: 25 }), async (steps) => {
        const app = buildForm()
        let model = { saved: 'a', value: 'a', asking: false, away: false }
        for (const one of steps) {
          const dirty = model.value !== model.saved
          await act(async () => {
            if (model.away) return one.do === 'come back' ? app.router.navigate('/form') : undefined
            if (one.do === 'navigate') return app.router.navigate('/away')
            if ('value' in one) app.form.type(one.value)
            if (one.do === 'save') app.form.save()
            if (one.do === 'cancel') app.form.cancel()
            if (one.do === 'stay') app.form.guard.stay()
            if (one.do === 'leave') app.form.guard.proceed()
          })
          if (model.away) {
            // On return the form is clean, with what was last saved.
            if (one.do === 'come back') model = { saved: 'a', value: 'a', asking: false, away: false }
          } else if ('value' in one) model.value = one.value
          else if (one.do === 'save') model.saved = model.value
          else if (one.do === 'cancel') model.value = model.saved
          else if (one.do === 'navigate') {
            model.asking = dirty
            model.away = !dirty
          } else if (one.do === 'stay') model.asking = false
          else if (one.do === 'leave' && model.asking) model = { ...model, asking: false, away: true }
          if (model.value === model.saved) model.asking = false
          expect(app.router.state.location.pathname).toBe(model.away ? '/away' : '/form')
          const unsaved = !model.away && model.value !== model.saved
          expect(asksBeforeClosing()).toBe(unsaved)
          if (!model.away) expect(app.form.guard.isBlocked).toBe(model.asking)
        }
      })
      .afterEach(() => cleanup()),
  )
})

it('lets the navigation pass that follows saving, and only that one', async () => {
  const app = buildForm()
  await act(async () => app.form.type('b'))
  await act(async () => {
    app.form.guard.allowNextNavigation()
    await app.router.navigate('/away')
  })
  expect(app.router.state.location.pathname).toBe('/away')
})

it('does not hold back what is opened next, before the form that was saved has quite gone', async () => {
  const app = buildForm()
  await act(async () => app.form.type('b'))
  await act(async () => {
    app.form.guard.allowNextNavigation()
    await app.router.navigate('/away')
    // Not rendered yet, so the form's guard is still there.
    await app.router.navigate('/farther')
  })
  expect(app.router.state.location.pathname).toBe('/farther')
})
