import { createCourse } from '@assay/shared/courses.ts'
import { expect, it } from 'vitest'
import { buildAssignment } from '../../server/src/testing/build-course.ts'
import { phone } from './support/browser.ts'
import { accessibilityProblems, registerPerson, takeScreenshot, useProduct } from './support/product.ts'

const product = useProduct()

/** Other pages are checked by the journeys that lead there. */
async function lookAt(paths: readonly string[], open: (scheme: 'light' | 'dark') => ReturnType<typeof product.open>) {
  for (const scheme of ['light', 'dark'] as const) {
    const { page } = await open(scheme)
    for (const path of paths) {
      await page.setViewportSize({ width: 1280, height: 800 })
      await page.goto(path)
      await page.waitForLoadState('networkidle')
      await page.getByRole('heading', { level: 1 }).first().waitFor()
      for (const size of ['wide', 'phone']) {
        if (size === 'phone') await page.setViewportSize(phone)
        await takeScreenshot(page, `${path.replaceAll('/', '-')}-${size}-${scheme}`)
        const sideways = await page.evaluate('document.documentElement.scrollWidth - window.innerWidth')
        expect([path, size, scheme, await accessibilityProblems(page), sideways]).toEqual([path, size, scheme, [], 0])
      }
    }
  }
  expect(product.browserErrors).toEqual([])
}

it('pages for visitors have no accessibility problems', async () => {
  const paths = ['/auth/login', '/auth/register', '/auth/accept-invitation', '/terms', '/privacy', '/no/such/page']
  await lookAt(paths, (colorScheme) => product.open({ colorScheme }))
})

it('pages of a course without papers have no accessibility problems', async () => {
  const { api } = product
  const teacher = await registerPerson(api, 'instructor', 'ada', 'Ada Byron')
  const { body: course } = await api.as(teacher).send(createCourse, { body: { name: 'Physics 9c' } })
  const { assignmentId } = await buildAssignment(api, { instructor: teacher, courseId: course.id }, [])
  const paths = [
    ...['/dashboard', '/courses', '/courses/create', '/create-assignment', '/instructor/profile'],
    ...['', '/edit', '/model', '/roster'].map((page) => `/courses/${course.id}${page}`),
    ...['submissions', 'rubric', 'questions', 'similarity', 'settings'].map(
      (page) => `/assignments/${assignmentId}/${page}`,
    ),
  ]
  await lookAt(paths, (colorScheme) => product.openAs(teacher, { colorScheme }))
})
