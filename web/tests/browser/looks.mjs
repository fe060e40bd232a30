import { Visitor, walk } from './harness.mjs';

for (const scheme of ['light', 'dark']) {
  walk(`every view is accessible and fits a phone, ${scheme}`, async ({ browser, server, lang }) => {
    const v = await Visitor.come(browser, server.url, lang, { colorScheme: scheme, deviceScaleFactor: 1 });
    await v.page.locator('.agents button').first().waitFor();
    await v.accessible('the welcome');
    await v.shoot(`welcome-${lang}-${scheme}`);
    await v.fits(360);
    await v.shoot(`phone-welcome-${lang}-${scheme}`);
    await v.open1280();
    await v.ask(v.say('최근 24시간 서비스별 에러 건수', 'errors by service in the last 24 hours'));
    await v.settled();
    await v.page.waitForTimeout(300);
    await v.accessible('an answer with a chart');
    await v.shoot(`analyst-${lang}-${scheme}`);
    await v.fits(360);
    await v.shoot(`phone-analyst-${lang}-${scheme}`);
    await v.page.getByRole('button', { name: v.say('메뉴', 'Menu'), exact: true }).click();
    await v.page.waitForTimeout(250);
    await v.accessible('the list of conversations on a phone');
    await v.page.keyboard.press('Escape');
    await v.open1280();
    await v.tab('표', 'Table').click();
    await v.accessible('a table');
    await v.fits(360);
    await v.tab('SQL', 'SQL').click();
    await v.accessible('a query');
    await v.fits(360);
    await v.open1280();
    await v.ask(v.say('조금 전 에러 로그 보여줘', 'show me the error logs from a while ago'));
    await v.page.locator('article fieldset').first().waitFor();
    await v.page.waitForTimeout(200);
    await v.accessible('a question asked back');
    await v.shoot(`clarify-${lang}-${scheme}`);
    await v.fits(360);
    await v.open1280();
    await v.page.getByRole('link', { name: v.say('실행 과정', 'Run'), exact: true }).first().click();
    await v.page.locator('g.node.done').first().waitFor();
    await v.accessible('a run');
    await v.shoot(`run-${lang}-${scheme}`);
    await v.fits(360);
    await v.open1280();
    for (const [path, name] of [['/library', 'documents'], ['/remembered', 'memory']]) {
      await v.page.goto(server.url + path);
      await v.page.locator('main h1').waitFor();
      await v.page.waitForTimeout(200);
      await v.accessible(name);
      await v.fits(360);
      await v.open1280();
    }
    await v.button('설정', 'Settings').click();
    await v.accessible('the settings');
    await v.leave();
  });
}
