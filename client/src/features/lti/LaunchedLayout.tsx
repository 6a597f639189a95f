import { useRef } from 'react'
import { Outlet, ScrollRestoration, useLocation } from 'react-router-dom'
import { PageErrorBoundary } from '../../errors/PageErrorBoundary.tsx'
import frame from '../../layout/Layout.module.css'
import { useFocusOnNavigation } from '../../layout/useFocusOnNavigation.ts'
import { useLaunch } from '../../lib/session/launch.ts'
import { launchBasePath } from '../../lib/session/launch-path.ts'
import { LaunchBar } from './LaunchBar.tsx'
import classes from './LaunchedLayout.module.css'
import { useFrameHeight, useScrollFrameToTop } from './useFrameHeight.ts'

/** The frame of a page inside an LMS, whose own bar and footer are there already: one slim line. */
export function LaunchedLayout() {
  const { pathname } = useLocation()
  const launch = useLaunch()
  const root = useRef<HTMLDivElement>(null)
  const main = useFocusOnNavigation()
  useFrameHeight(root, launch)
  useScrollFrameToTop(launch)
  return (
    <div ref={root} className={classes.root}>
      <a className={frame.skip} href="#main">
        Skip to content
      </a>
      {launch && <LaunchBar launch={launch} />}
      <main id="main" ref={main} tabIndex={-1} className={frame.main}>
        <PageErrorBoundary key={pathname}>
          <Outlet />
        </PageErrorBoundary>
      </main>
      <ScrollRestoration storageKey={`assay-places ${launchBasePath}`} />
    </div>
  )
}
