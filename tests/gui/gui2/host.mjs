// SPDX-License-Identifier: Apache-2.0
// Runs the topology view of ONOS's GUI2 as GUI2 itself does, with nothing around it. Templates are compiled in the browser.
import 'zone.js/dist/zone';
import { Component, NgModule } from '@angular/core';
import { HttpClientModule } from '@angular/common/http';
import { platformBrowserDynamic } from '@angular/platform-browser-dynamic';
import { BrowserAnimationsModule } from '@angular/platform-browser/animations';
import { RouterModule } from '@angular/router';
import { select } from 'd3';
import { ConsoleLoggerService, Gui2FwLibModule, KeysService, LionService, LogService, WebSocketService } from 'gui2-fw-lib';
import { Gui2TopoLibModule } from 'gui2-topo-lib';

class Gui {
  constructor(socket, keys) {
    this.keys = keys;
    socket.createWebSocket({ wsport: location.port });
  }

  ngAfterViewInit() {
    this.keys.installOn(select('body'));
  }
}
// What a compiler makes of TypeScript's decorators.
Gui.decorators = [{ type: Component, args: [{ selector: 'onos-root', template: '<router-outlet></router-outlet>' }] }];
Gui.ctorParameters = () => [{ type: WebSocketService }, { type: KeysService }, { type: LionService }];

/** A view that is not the topology's. */
class Elsewhere {}
Elsewhere.decorators = [{ type: Component, args: [{ selector: 'onos-elsewhere', template: '' }] }];

class GuiModule {}
GuiModule.decorators = [{
  type: NgModule,
  args: [{
    imports: [BrowserAnimationsModule, HttpClientModule, Gui2FwLibModule, Gui2TopoLibModule,
              RouterModule.forRoot([{ path: 'elsewhere', component: Elsewhere }], { useHash: true })],
    declarations: [Gui, Elsewhere],
    bootstrap: [Gui],
    providers: [{ provide: LogService, useClass: ConsoleLoggerService }, { provide: 'Window', useValue: window }],
  }],
}];

platformBrowserDynamic().bootstrapModule(GuiModule).catch((error) => console.error(error));
