import { MantineProvider } from '@mantine/core'
import { render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { createMemoryRouter, Outlet, type RouteObject, RouterProvider, useLocation } from 'react-router-dom'
import { SWRConfig } from 'swr'
import { expect, vi } from 'vitest'
import { PageErrorBoundary } from '../errors/PageErrorBoundary.tsx'
import { ToastArea } from '../layout/ToastArea.tsx'
import { SessionProvider } from '../lib/session/session.tsx'
import { routes } from '../router.tsx'
import { theme } from '../theme/ThemeRoot.tsx'

function PageAlone() {
  const { pathname } = useLocation()
  return (
    <main>
      <PageErrorBoundary key={pathname}>
        <Outlet />
      </PageErrorBoundary>
    </main>
  )
}

const pagesAlone: RouteObject[] = routes.map((route) => ({ ...route, Component: PageAlone }))

export const renderPage = (path: string, pages = pagesAlone) => renderApp(path, pages)

export function renderApp(path: string, pages: RouteObject[] = routes) {
  const user = userEvent.setup()
  const router = createMemoryRouter(pages, { initialEntries: [path] })
  const view = render(
    <MantineProvider theme={theme} withCssVariables={false} env="test">
      <ToastArea />
      <SWRConfig value={{ provider: () => new Map(), shouldRetryOnError: false, dedupingInterval: 0 }}>
        <SessionProvider>
          <RouterProvider router={router} />
        </SessionProvider>
      </SWRConfig>
    </MantineProvider>,
  )
  const address = () => router.state.location.pathname + router.state.location.search
  return { ...view, router, address, user }
}

export async function findReview(): Promise<void> {
  await screen.findByTestId('paper')
  await expect.poll(() => screen.queryByRole('status', { name: 'Loading the grade' })).toBeNull()
}

/** Pastes, since each typed letter renders the page; not for tests of typing. */
export async function fillIn(field: Element, text: string): Promise<void> {
  await userEvent.click(field)
  await userEvent.paste(text)
}

export function recordDownloads(): string[] {
  const saved: string[] = []
  vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function (this: HTMLAnchorElement) {
    saved.push(this.download)
  })
  URL.createObjectURL = () => 'blob:file'
  return saved
}
