import { MantineProvider } from '@mantine/core'
import { render } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { createMemoryRouter, Outlet, type RouteObject, RouterProvider, useLocation } from 'react-router-dom'
import { SWRConfig } from 'swr'
import { PageErrorBoundary } from '../errors/PageErrorBoundary.tsx'
import { ToastArea } from '../layout/ToastArea.tsx'
import { SessionProvider } from '../lib/session/session.tsx'
import { routes } from '../router.tsx'
import { theme } from '../theme/theme.ts'

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
