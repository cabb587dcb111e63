//! The network between a coordinator and those who call it: a port whose connections pass through some weather.

use std::io;
use std::sync::Arc;
use std::time::Duration;

use socket2::SockRef;
use tokio::net::{TcpListener, TcpStream};
use tokio::runtime::{Builder, Runtime};
use tokio::sync::watch;
use tokio::time::{MissedTickBehavior, interval};

use crate::dice::Dice;
use crate::lane::{Figures, Lane};
use crate::weather::Weather;

/// How much the system may keep for a connection that is not read, in bytes: a long queue would be no network.
const BUFFER_BYTES: usize = 16 << 10;

/// How often connections are asked whether they are reset.
const SECOND: Duration = Duration::from_secs(1);

/// A port of this machine behind which is a coordinator. Its connections end when it is dropped.
pub(crate) struct Cable {
    address: String,
    weather: watch::Sender<Weather>,
    reset: watch::Sender<u64>,
    figures: Arc<Figures>,
    _runtime: Runtime,
}

/// What every connection needs.
#[derive(Clone)]
struct Ends {
    far: String,
    weather: watch::Receiver<Weather>,
    reset: watch::Receiver<u64>,
    dice: Arc<Dice>,
    figures: Arc<Figures>,
}

impl Cable {
    /// One in fine weather to a coordinator that is called `address`.
    ///
    /// # Panics
    /// If the machine gives no port.
    pub(crate) fn to(address: &str, dice: &Arc<Dice>) -> Cable {
        let runtime = Builder::new_multi_thread().worker_threads(1).enable_all().build().expect("a runtime");
        let listener = runtime.block_on(TcpListener::bind("127.0.0.1:0")).expect("a port");
        let near = listener.local_addr().expect("an address");
        let (weather, reset) = (watch::Sender::new(Weather::default()), watch::Sender::new(0));
        let figures: Arc<Figures> = Arc::default();
        let far = address.trim_start_matches("http://").to_owned();
        let ends = Ends {
            far,
            weather: weather.subscribe(),
            reset: reset.subscribe(),
            dice: dice.clone(),
            figures: figures.clone(),
        };
        runtime.spawn(ends.accept(listener));
        Cable { address: format!("http://{near}"), weather, reset, figures, _runtime: runtime }
    }

    /// How the coordinator behind it is called.
    pub(crate) fn address(&self) -> &str {
        &self.address
    }

    /// What happened so far.
    pub(crate) fn figures(&self) -> &Figures {
        &self.figures
    }

    /// Changes the weather for every connection and every byte that has not arrived.
    pub(crate) fn set(&self, weather: Weather) {
        self.weather.send_replace(weather);
    }

    /// Resets every connection.
    pub(crate) fn reset_all(&self) {
        self.reset.send_modify(|times| *times += 1);
    }
}

impl Ends {
    async fn accept(self, listener: TcpListener) {
        while let Ok((near, _)) = listener.accept().await {
            tokio::spawn(self.clone().serve(near));
        }
    }

    async fn serve(mut self, mut near: TcpStream) {
        self.reset.mark_unchanged();
        Figures::add(&self.figures.connections, 1);
        let far = if self.weather.borrow().refuses { None } else { TcpStream::connect(&self.far).await.ok() };
        let Some(mut far) = far else { return self.cut_off(&[&near]) };
        // One that is gone already ends below.
        let _ = tune(&near).and_then(|()| tune(&far));
        let [up, down] = [|weather: &Weather| weather.up, |weather: &Weather| weather.down].map(|which| {
            let (weather, dice) = (self.weather.clone(), self.dice.clone());
            Lane { weather, which, dice, figures: self.figures.clone() }
        });
        let ended = {
            let ((near_read, near_write), (far_read, far_write)) = (near.split(), far.split());
            tokio::select! {
                carried = async {
                    tokio::try_join!(up.carry(near_read, far_write), down.carry(far_read, near_write))
                } => carried.is_ok(),
                () = self.bad_luck() => false,
            }
        };
        if !ended {
            self.cut_off(&[&near, &far]);
        }
    }

    /// Ready when the connection is to be reset.
    async fn bad_luck(&self) {
        let mut reset = self.reset.clone();
        let mut seconds = interval(SECOND);
        seconds.set_missed_tick_behavior(MissedTickBehavior::Delay);
        seconds.tick().await;
        loop {
            tokio::select! {
                _ = reset.changed() => return,
                _ = seconds.tick() => {}
            }
            let chance = self.weather.borrow().resets;
            if self.dice.strikes(chance) {
                return;
            }
        }
    }

    /// Has the system reset these connections as they are closed.
    fn cut_off(&self, streams: &[&TcpStream]) {
        Figures::add(&self.figures.resets, 1);
        for stream in streams {
            // One that is gone cannot be reset.
            let _ = SockRef::from(*stream).set_linger(Some(Duration::ZERO));
        }
    }
}

fn tune(stream: &TcpStream) -> io::Result<()> {
    stream.set_nodelay(true)?;
    SockRef::from(stream).set_recv_buffer_size(BUFFER_BYTES)
}
