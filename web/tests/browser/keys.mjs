import assert from 'node:assert/strict';
import { Visitor, walk } from './harness.mjs';
import { Server } from './server.mjs';

walk('a server with keys asks for one, and forgets it with the tab', async ({ browser, lang }) => {
  const server = await Server.start();
  const key = server.makeKey('kim');
  const other = server.makeKey('lee');
  const v = await Visitor.come(browser, server.url, lang);
  const dialog = v.page.getByRole('dialog', { name: v.say('API 키가 필요합니다', 'An API key is needed') });
  await dialog.waitFor();
  await v.accessible('signing in');
  await v.shoot(`sign-in-${lang}-light`);
  await v.fits(360);
  await v.open1280();
  // Escape does not get anybody past it.
  await v.page.keyboard.press('Escape');
  assert.ok(await dialog.isVisible());
  const field = dialog.getByLabel(v.say('API 키', 'API key'));
  // One refusal of the wrong key comes when the right one is long in use.
  let late;
  const entered = new Promise((go) => (late = go));
  await v.page.route('**/threads/search', async (route) => {
    if (route.request().headers()['x-api-key'] === 'nonsense') await entered;
    return route.fallback();
  });
  await field.fill('nonsense');
  await field.press('Enter');
  await dialog.getByText(v.say('이 키로는 들어갈 수 없습니다.', 'This key is not accepted.')).waitFor();
  await field.fill(key);
  await field.press('Enter');
  await dialog.waitFor({ state: 'detached' });
  const refusal = v.page.waitForResponse((response) => response.status() === 401);
  late();
  await (await refusal).finished();
  await v.page.unroute('**/threads/search');
  await v.page.evaluate(() => new Promise((go) => requestAnimationFrame(() => requestAnimationFrame(go))));
  assert.equal(await dialog.count(), 0, 'whoever is in stays in');
  await v.ask(v.say('최근 24시간 서비스별 에러 건수', 'errors by service in the last 24 hours'));
  await v.settled();
  assert.ok((await v.turns.last().locator('svg rect.bar').count()) > 2);
  assert.equal(await v.page.evaluate((key) => JSON.stringify({ ...localStorage }).includes(key), key), false, 'it is not kept');
  // A reload keeps the tab, and so the key.
  await v.page.reload();
  await v.turns.last().locator('svg rect.bar').first().waitFor();
  // Another tab has to ask again, and another person sees nothing of the first.
  const again = await Visitor.come(browser, server.url, lang);
  const second = again.page.getByRole('dialog', { name: v.say('API 키가 필요합니다', 'An API key is needed') });
  await second.getByLabel(v.say('API 키', 'API key')).fill(other);
  await second.getByRole('checkbox').check();
  await second.getByRole('button').click();
  await again.page.getByText(v.say('아직 대화가 없습니다.', 'No conversations yet.')).waitFor();
  assert.equal(await again.page.evaluate((key) => JSON.stringify({ ...localStorage }).includes(key), other), true, 'kept, as was asked for');
  await again.leave();
  // Signing out forgets it.
  await v.button('설정', 'Settings').click();
  await v.button('나가기 (키 잊기)', 'Sign out (forget the key)').click();
  await dialog.waitFor();
  assert.equal(await v.page.evaluate((key) => JSON.stringify({ ...sessionStorage }).includes(key), key), false);
  await v.leave();
  await server.end();
});
